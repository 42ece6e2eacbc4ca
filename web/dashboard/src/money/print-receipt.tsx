/** The receipt of a sale at the counter on paper: on the roll of a receipt printer, or on A4. */
import { Refused } from 'rollcall-sdk';
import { clientOf } from '../app/client.ts';
import { printPage } from '../app/print.ts';
import { toast } from '../ui/toasts.tsx';
import { ui } from '../ui/words.ts';
import { useBusiness } from '../app/business.ts';
import { words } from './words.ts';

/** One page as long as the receipt, with margins: the printer cuts the roll at the end of a page. */
const roll = (height: number): string => `@page { size: 80mm ${height + 10}mm; margin: 4mm }`;
const a4 = (): string => `@page { size: A4; margin: 18mm }
  body { width: auto; font-size: 11pt } h1 { font-size: 16pt } .strong > * { font-size: 13pt }`;

export interface PrintReceiptProps {
  /** id of the sale */
  readonly sale: number;
  /** another button is the main action */
  readonly second?: boolean;
}

export function PrintReceipt({ sale, second = false }: PrintReceiptProps) {
  const { id: business } = useBusiness();
  const print = async (styleFor: (height: number) => string): Promise<void> => {
    try {
      const receipt = await clientOf(business).call('GET /counter/sales/{id}/receipt', { params: { id: sale } });
      printPage(await receipt.text(), styleFor);
    } catch (error) {
      toast({ text: error instanceof Refused ? error.problem.message : ui.say('unreachable'), wrong: true });
    }
  };
  return (
    <>
      <button type="button" className={second ? 'second' : undefined} onClick={() => void print(roll)}>
        {words.say('receipt.print')}
      </button>
      <button type="button" className="second" onClick={() => void print(a4)}>
        {words.say('receipt.a4')}
      </button>
    </>
  );
}
