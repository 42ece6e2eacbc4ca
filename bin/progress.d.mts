export function withProgress<T>(
  doing: string,
  work: Promise<T>,
  options?: { everyMs?: number; print?: (line: string) => void },
): Promise<T>;
