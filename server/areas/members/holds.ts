import type { Work } from '../../kernel/work.ts';
export async function endHoldsOf(_work: Work, _id: number, _on: string): Promise<void> {}
