/** All tools, in the order in which assistants see them. Append new ones to their list: assistants cache the order. */
import { changeTools } from './changes.ts';
import { classTools } from './classes.ts';
import { customerTools } from './mine.ts';
import { interfaceTools } from './interface.ts';
import { staffTools } from './staff.ts';
import type { Tool } from '../tool.ts';

/** Assistants choose worse among many tools, and every one of them costs the person part of their conversation. */
export const MAX_TOOLS = 32;

export const TOOLS: readonly Tool[] = [
  ...staffTools,
  ...classTools,
  ...customerTools,
  ...interfaceTools,
  ...changeTools,
];
