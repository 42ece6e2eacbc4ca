export interface Probed {
  readonly status: number | null;
  readonly stderr: string;
  readonly error?: { readonly code?: string; readonly message?: string };
}
export function explainRuntime(node: string, root: string, run?: (node: string) => Probed): string | null;
export function explainMissing(root: string, needed: number, installed?: readonly string[]): string;
