/** Accounts of people in an installation of several cells: the ports of the areas, and answers to other cells. */
import { accountsElsewhere, type AccountsElsewhere } from '../../areas/people/identity/index.ts';
import { answerAccount, bring, bringWithin } from './copies.ts';
import { AUTHORIZATION_QUESTIONS, authorizationsAt } from './authorizations.ts';
import { authorizationsElsewhere, keyExchange } from '../../areas/people/applications/index.ts';
import {
  answerEndSession,
  answerSession,
  answerSessions,
  endSessionAt,
  findSession,
  leaveSession,
  sessionsElsewhere,
} from './sessions.ts';
import { hearNews, sendNow } from './news.ts';
import { exchangeKeys, signingKeysQuestion } from './keys.ts';
import type { CellPort, OtherCells } from '../../kernel/work/unit/other-cells.ts';
import type { CellQuestion } from '../cells/question.ts';
import type { Transaction } from '../../kernel/base/db/database.ts';
import type { SecretBox } from '../../kernel/base/secret-box.ts';

export const ACCOUNT_QUESTIONS: readonly CellQuestion[] = [
  { name: 'account', answer: answerAccount },
  { name: 'account_news', answer: hearNews },
  { name: 'end_session', answer: answerEndSession },
  { name: 'session', answer: answerSession },
  { name: 'sessions', answer: answerSessions },
  ...AUTHORIZATION_QUESTIONS,
  signingKeysQuestion,
];

/** Returns the functions for the ports of identity and applications. */
export function accountPorts(cells: OtherCells, box: SecretBox): ReadonlyMap<CellPort<any>, unknown> {
  const network = { cells, box };
  const accounts: AccountsElsewhere = {
    bring: (door, which) => bring(network, door, which),
    bringWithin: (tx, which, now) => bringWithin(tx, network, which, now),
    sendChanges: async ({ db }) => void (await sendNow({ ...network, db })),
    findSession: (door, cell, key) => findSession(network, door, cell, key),
    endSession: (cell, session, whence) => endSessionAt(cells, cell, session, whence),
    leaveSession: (cell, hash, whence) => leaveSession(cells, cell, hash, whence),
    listSessions: (userId) => sessionsElsewhere(cells, userId),
  };
  return new Map<CellPort<any>, unknown>([
    [accountsElsewhere, accounts],
    [authorizationsElsewhere, authorizationsAt(network)],
    [keyExchange, (tx: Transaction, now: number) => exchangeKeys(tx, cells, now)],
  ]);
}
