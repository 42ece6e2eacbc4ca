/** Gift cards that a former product sold: their holders keep the codes, with what is left on them. */
import {
  bringForward,
  cardsWithCodes,
  codeElsewhere,
  LONGEST_CODE,
  SHORTEST_CODE,
  type Brought,
  type CodeFault,
  type Held,
} from '../../../commerce/gift-cards/index.ts';
import { amountText } from '../../../../kernel/base/values/money.ts';
import { countryOf } from './business.ts';
import { createHash } from 'node:crypto';
import {
  addressIn,
  dateIn,
  isIssue,
  issueOf,
  rejected,
  stateIn,
  templateOf,
  textIn,
  type Issue,
  type Outcomes,
  type Portion,
  type WriteRows,
} from './portion.ts';
import { isAddress } from './is-address.ts';
import { nameFault } from '../../../../kernel/base/values/person-name.ts';
import { readAmount } from './rules/amount.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

interface Wanted {
  readonly row: CsvRow;
  readonly card: Brought;
  /** cells that are left out of the row */
  readonly issues: readonly Issue[];
}

export const writeGiftCards: WriteRows = async (portion) => {
  const { work } = portion;
  const outcomes: Outcomes = new Map();
  const country = await countryOf(work);
  const read = portion.rows.flatMap((row): Wanted[] => {
    const wanted = cardIn(portion, row, country);
    if (!isIssue(wanted)) return [wanted];
    outcomes.set(row.line, rejected(wanted));
    return [];
  });
  const wanted = await onceEach(portion, read, outcomes);
  const held = await cardsWithCodes(
    work,
    wanted.map(({ card }) => card.code),
  );
  const fresh: Wanted[] = [];
  for (const one of wanted) {
    const { row, card } = one;
    const known = held.get(card.code);
    if (!known) fresh.push(one);
    else if (!known.brought)
      outcomes.set(
        row.line,
        rejected(issueOf(templateOf(portion, 'code'), row, 'is the code of a gift card sold here')),
      );
    else outcomes.set(row.line, { fate: 'unchanged', object: known.id, issues: differences(portion, one, known) });
  }
  const ids = await bringForward(
    work,
    fresh.map(({ card }) => card),
  );
  for (const [i, { row, card, issues }] of fresh.entries())
    outcomes.set(row.line, {
      fate: 'created',
      object: ids[i],
      issues,
      sum: { of: 'gift_cards', minor: card.amount },
    });
  return outcomes;
};

/** Returns what the row says differently about a card that was imported: nothing of it is followed. */
function differences(portion: Portion, { row, card }: Wanted, known: Held): Issue[] {
  const [balance, expires] = [templateOf(portion, 'balance'), templateOf(portion, 'expires_on')];
  const { currency } = portion.work.tenant;
  const amount = amountText({ minor: known.amount, currency });
  return [
    ...(known.redeemed ? [issueOf(balance, row, 'was redeemed here: nothing is left on the gift card')] : []),
    ...(!known.redeemed && known.amount !== card.amount
      ? [
          issueOf(
            balance,
            row,
            `differs from the ${amount} that were imported, which stay: undo that import to correct it`,
          ),
        ]
      : []),
    ...(expires && known.last !== card.last
      ? [issueOf(expires, row, `differs from the last day that was imported, which stays: ${known.last ?? 'none'}`)]
      : []),
  ];
}

const FAULTS: Readonly<Record<CodeFault, string>> = {
  rounded: 'is no longer a code: a spreadsheet rounded it. Format the column as text and export it again',
  masked: 'is not the whole code',
  characters: 'has other characters than letters, digits, spaces and dashes',
  short: `has fewer than ${SHORTEST_CODE} letters and digits, so that it could be guessed: credit the account instead`,
  long: `has more than ${LONGEST_CODE} letters and digits`,
};

/** Days outside of these stand for no day: programs write them for an unknown day, and for never. */
const [EARLIEST, LATEST] = ['1970-01-01', '2999-12-31'];

/** Returns the card of a row, or the cell because of which it is left out. */
function cardIn(portion: Portion, row: CsvRow, country: string): Wanted | Issue {
  const at = (property: string) => templateOf(portion, property);
  const { currency, zone } = portion.work.tenant;
  const today = wallAt(portion.work.now, zone).date;
  const state = stateIn(portion, 'status', row);
  if (state !== undefined && state !== 'usable') return issueOf(at('status'), row, 'means that the row is left out');
  const text = textIn(at('code'), row);
  if (text === null) return issueOf(at('code'), row, 'is empty');
  const code = codeElsewhere(text);
  if ('fault' in code) return issueOf(at('code'), row, FAULTS[code.fault]);
  const named = textIn(at('currency'), row);
  if (named !== null && named.toUpperCase() !== currency)
    return issueOf(at('currency'), row, `is not the currency of the business, ${currency}`);
  const amountIn = (property: string): number | null | Issue => {
    const cell = textIn(at(property), row);
    if (cell === null) return null;
    const amount = readAmount(cell, { currency, country });
    return amount === undefined || amount.every !== null
      ? issueOf(at(property), row, `is not one amount in ${currency}`)
      : amount.minor;
  };
  const amount = amountIn('balance');
  if (isIssue(amount)) return amount;
  if (amount === null) return issueOf(at('balance'), row, 'is empty: nobody knows what is left on the card');
  if (amount === 0) return issueOf(at('balance'), row, 'is nothing: the card was used');
  const issues: Issue[] = [];
  const orLeftOut = <T>(found: T | Issue): T | null => {
    if (!isIssue(found)) return found;
    issues.push(found);
    return null;
  };
  const original = orLeftOut(amountIn('original_value'));
  if (original !== null && amount > original)
    return issueOf(
      at('balance'),
      row,
      `is more than the original value of ${amountText({ minor: original, currency })}`,
    );
  const last = dateIn(portion, at('expires_on'), row);
  if (isIssue(last)) return last;
  if (last !== null && last < today)
    return issueOf(at('expires_on'), row, 'has passed: to honor the card nevertheless, enter a later day or none');
  if (last !== null && last > LATEST)
    return issueOf(at('expires_on'), row, 'is too far ahead: leave it empty for a card that never expires');
  return {
    row,
    card: {
      code: code.code,
      amount,
      boughtOn: orLeftOut(boughtIn(portion, row, last ?? today)),
      last,
      recipientEmail: orLeftOut(addressOfRecipient(portion, row)),
      recipientName: orLeftOut(nameOfRecipient(portion, row)),
    },
    issues,
  };
}

function boughtIn(portion: Portion, row: CsvRow, last: string): string | null | Issue {
  const template = templateOf(portion, 'bought_on');
  const day = dateIn(portion, template, row);
  if (day === null || isIssue(day)) return day;
  if (day > wallAt(portion.work.now, portion.work.tenant.zone).date) return issueOf(template, row, 'is in the future');
  if (day < EARLIEST) return issueOf(template, row, 'is too long ago');
  return day > last ? issueOf(template, row, 'is after the last day') : day;
}

function addressOfRecipient(portion: Portion, row: CsvRow): string | null | Issue {
  const template = templateOf(portion, 'recipient_email');
  const address = addressIn(template, row);
  return address === null || isAddress(address) ? address : issueOf(template, row, 'is not an email address');
}

function nameOfRecipient(portion: Portion, row: CsvRow): string | null | Issue {
  const template = templateOf(portion, 'recipient_name');
  const name = textIn(template, row)?.replaceAll(/\s+/g, ' ') ?? null;
  if (name === null) return null;
  if (name.length > 200) return issueOf(template, row, 'is longer than 200 characters');
  return nameFault(name) === null
    ? name
    : issueOf(template, row, 'is no name: it holds an address or invisible characters');
}

/** A code is as good as money, so the keys that find it twice don't contain it. */
const keyOf = ({ card: { code } }: Wanted): string => createHash('sha256').update(code).digest('hex');

async function onceEach(portion: Portion, wanted: readonly Wanted[], outcomes: Outcomes): Promise<Wanted[]> {
  const { seen } = portion;
  const earlier = await portion.earlier(wanted.map(keyOf), []);
  return wanted.filter((one) => {
    const line = seen.own.get(keyOf(one)) ?? earlier.own.get(keyOf(one));
    if (line === undefined) seen.own.set(keyOf(one), one.row.line);
    else
      outcomes.set(one.row.line, rejected(issueOf(templateOf(portion, 'code'), one.row, `is already in line ${line}`)));
    return line === undefined;
  });
}
