import { Refused } from 'rollcall-sdk';
import { clientOf } from '../../app/client.ts';
import { printPage } from '../../app/print.ts';
import { toast } from '../../ui/toasts.tsx';
import { ui } from '../../ui/words.ts';

export async function printReceipt(business: number, sale: number): Promise<void> {
  try {
    const receipt = await clientOf(business).call('GET /counter/sales/{id}/receipt', { params: { id: sale } });
    printPage(await receipt.text());
  } catch (error) {
    toast({ text: error instanceof Refused ? error.problem.message : ui.say('unreachable'), wrong: true });
  }
}

/** Prints the card's page, which only the response that created it contains. */
export function printCard({ page }: { readonly page: string | null }): void {
  if (page !== null) printPage(page);
}
