import { words } from '../words.ts';
import { MEMBERSHIPS } from './memberships.ts';
import type { KindColumns } from './columns.ts';

const { customer_external_id, customer_email, customer_first_name, customer_last_name, customer_name } =
  MEMBERSHIPS.properties;

const CREDIT = words(
  'credit, account credit, credit balance, store credit, available credit, credit amount, wallet balance, Guthaben',
  'Kontoguthaben, crédit, avoir, solde créditeur, saldo a favor, crédito, credito, saldo a credito, tegoed',
  'krediet, saldo credor, nadpłata, יתרת זכות, זיכוי',
);
const DEBT = words(
  'debt, amount due, amount owed, balance due, balance owed, owed, owes, outstanding, outstanding balance, past due',
  'unpaid balance, open balance, Schulden, offener Betrag, offener Saldo, Rückstand, Außenstände, montant dû, impayé',
  'solde dû, deuda, saldo pendiente, importe pendiente, debito, importo dovuto, saldo dovuto, schuld',
  'openstaand saldo, openstaand bedrag, dívida, valor em dívida, saldo devedor, zaległość, do zapłaty, חוב, יתרת חוב',
);
/** Balances of which some products write a debt with a minus sign and others without: their columns are a question. */
const EITHER = words(
  'balance, account balance, current balance, customer balance, Saldo, Kontostand, solde, solde du compte, saldo',
  'saldo de la cuenta, saldo del conto, saldo rekening, saldo da conta, saldo konta, יתרה, יתרת חשבון',
);

export const BALANCES: KindColumns = {
  needs: [
    ['customer_external_id', 'customer_email', 'customer_name', 'customer_last_name'],
    ['credit', 'debt'],
  ],
  asks: EITHER,
  shownBy: [...CREDIT, ...DEBT, ...EITHER],
  dates: ['date'],
  properties: {
    customer_external_id,
    customer_email,
    customer_first_name,
    customer_last_name,
    customer_name,
    credit: { plain: CREDIT },
    debt: { plain: DEBT },
    date: {
      plain: words(
        'date, balance date, as of, as of date, Datum, Stichtag, date du solde, fecha, fecha del saldo, data, datum',
        'data salda, תאריך',
      ),
    },
  },
};
