import { locale } from '../../words/language.ts';

/** Part of the Intl standard; a property in some browsers, a method in others. */
type Weeks = Intl.Locale & { getWeekInfo?(): { firstDay: number }; readonly weekInfo?: { firstDay: number } };

const weeks = new Intl.Locale(locale) as Weeks;

/** The first day of the week in the user's locale: 1 is Monday, 7 is Sunday. */
export const firstDayOfWeek: number = (weeks.getWeekInfo?.() ?? weeks.weekInfo)?.firstDay ?? 1;
