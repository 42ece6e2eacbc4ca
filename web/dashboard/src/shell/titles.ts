import { words } from './words.ts';
import type { ScreenName } from '../screens.ts';

export const titleOf = (name: ScreenName): string => words.say(`screen.${name}`);
