import { addMark, readSetUpMarks } from './marks.ts';
import { may } from '../app/business.ts';
import { readRunning } from './done.ts';
import { workplaces } from '../app/workplaces.ts';

/**
 * Returns the first screen: the set-up until people can book and pay, for those who may do it. Once that was so, it is
 * not asked again.
 */
export async function firstScreen(wanted: string): Promise<'start' | 'today'> {
  const found = (await workplaces()).find(({ id }) => String(id) === wanted);
  if (!found || !may(found, 'super_admin') || readSetUpMarks(found.id).has('home')) return 'today';
  // The first screen must open even if that can't be read.
  const isRunning = await readRunning(found.id).catch(() => null);
  if (isRunning) addMark(found.id, 'home');
  return isRunning === false ? 'start' : 'today';
}
