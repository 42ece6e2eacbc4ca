/** Sentences about the money of a hold: they are stored, so they are in the language of the business. */
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import type { Wording } from './rules/payment.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns the sentences in the language of the business, with its dates and amounts. */
export function wordingFor(work: Work): Wording {
  const { say, date, amount } = storedTexts(work);
  return {
    amount: (type, minor, period) => {
      const holes = { amount: amount(minor), start: date(period.start_date), end: date(period.end_date) };
      return period.max_uses === null
        ? say(`hold.${type}.days`, { ...holes, held: period.held_days, total: period.total_days })
        : say(`hold.${type}.uses`, {
            ...holes,
            left: period.prorated_max_uses!,
            all: period.max_uses,
            used: period.used_count!,
          });
    },
    none: (why) => say(`hold.none.${why}`),
  };
}
