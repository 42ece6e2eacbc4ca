import { defineProblems } from '../../../kernel/base/problem.ts';

export const INVOICE_PROBLEMS = defineProblems({
  invoice_voided: { status: 409, type: 'conflict', means: 'The invoice was voided.' },
  invoice_not_due: { status: 409, type: 'conflict', means: 'No more than what is left to pay can be paid.' },
  invoice_partly_paid: {
    status: 409,
    type: 'conflict',
    means: 'Something of the invoice was paid or taken back. Issue a credit note instead of voiding it.',
  },
  credit_exceeds_invoice: {
    status: 409,
    type: 'conflict',
    means: 'No more than was billed, less earlier credit notes, can be taken back.',
  },
});
