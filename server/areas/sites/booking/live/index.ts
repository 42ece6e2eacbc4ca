/** The only script of the booking site: a static file whose name changes with its content. */
import { readFileSync } from 'node:fs';
import { scriptOf } from '../../../../kernel/pages/script.ts';

export const TIMETABLE_SCRIPT = scriptOf('timetable', readFileSync(new URL('./timetable.js', import.meta.url), 'utf8'));
