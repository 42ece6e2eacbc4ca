import { locale } from '../../words/language.ts';

/** Of the Intl standard; a property in some browsers, a method in others. */
type Weeks = Intl.Locale & { getWeekInfo?(): { firstDay: number }; readonly weekInfo?: { firstDay: number } };

const weeks = new Intl.Locale(locale) as Weeks;

/** 1 is Monday, 7 is Sunday: where the person reads. */
export const firstDayOfWeek: number = (weeks.getWeekInfo?.() ?? weeks.weekInfo)?.firstDay ?? 1;
