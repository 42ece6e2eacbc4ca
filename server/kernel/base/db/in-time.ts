/** What was asked for, or null: it failed, or did not come before the deadline, ms of the clock of this process. */
export async function inTime<T>(asked: Promise<T>, deadline: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, deadline - performance.now()));
  });
  return Promise.race([asked.catch(() => null), late]).finally(() => clearTimeout(timer));
}
