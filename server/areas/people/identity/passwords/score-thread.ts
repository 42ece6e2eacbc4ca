/** Scores passwords in a thread: a long one takes a quarter of a second, which would block everybody else. */
import { parentPort } from 'node:worker_threads';
import { dictionary, adjacencyGraphs } from '@zxcvbn-ts/language-common';
import { SCORED, scoredPieces } from '../rules/password.ts';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';

const zxcvbn = new ZxcvbnFactory({
  dictionary,
  graphs: adjacencyGraphs,
  useLevenshteinDistance: false,
  maxLength: SCORED,
});
const common = new Set(dictionary['passwords-common'] as string[]);

const score = (password: string, about: string[]): number =>
  common.has(password.toLowerCase())
    ? -1
    : Math.max(...scoredPieces(password).map((piece) => zxcvbn.check(piece, about).score));

parentPort!.on('message', ({ id, password, about }: { id: number; password: string; about: string[] }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage({ id, score: score(password, about) });
});
