/** Answers of this cell to other cells about accounts and sessions. */
import { answerAccount } from './elsewhere.ts';
import { answerEndSession, answerSession, answerSessions } from './sessions.ts';
import { hearNews } from './news.ts';
import type { CellQuestion } from '../../../../kernel/api/cell-declarations.ts';

export const ACCOUNT_QUESTIONS: readonly CellQuestion[] = [
  { name: 'account', answer: answerAccount },
  { name: 'account_news', answer: hearNews },
  { name: 'end_session', answer: answerEndSession },
  { name: 'session', answer: answerSession },
  { name: 'sessions', answer: answerSessions },
];
