/** Files of the interface that need a token: downloaded here, then saved by the browser. */
import { Refused } from 'rollcall-sdk';
import { toast } from '../ui/toasts.tsx';
import { ui } from '../ui/words.ts';

export async function keepAs(call: PromiseLike<unknown>, name: string): Promise<void> {
  try {
    const file = await ((await call) as Response).blob();
    const address = URL.createObjectURL(file);
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    URL.revokeObjectURL(address);
  } catch (error) {
    toast({ text: error instanceof Refused ? error.problem.message : ui.say('unreachable'), wrong: true });
  }
}
