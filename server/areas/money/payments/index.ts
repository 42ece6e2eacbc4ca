import { payees } from './payees.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { payees, type PaidPayment, type Payee } from './payees.ts';

export const payments: Area = {
  name: 'payments',
  description: 'How customers pay: processors, payments, refunds, disputes and saved methods.',
  ports: [payees],
  tables: [
    'payment',
    'payment_dispute',
    'payment_message',
    'payment_method',
    'payment_processor',
    'payment_refund',
    'sandbox_charge',
    'sandbox_dispute',
    'sandbox_message',
    'sandbox_refund',
  ],
};
