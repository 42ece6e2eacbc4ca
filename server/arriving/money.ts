/** Tables of the areas in `money`. */
import { WEB } from './rules.ts';
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const MONEY: Readonly<Record<string, ArrivingTable>> = {
  // account entries
  account_credit_settings: { own: 'created_at expires_after_days notice_days since told_until updated_at worked_on' },
  account_entry: {
    own: `
      amount_minor created_at credited_at customer_id customer_membership_id due_on explanation fees_minor id kind once
      period_end period_start reason returned_minor returns_entry_id returns_line_id revenue reverses_id rounding_minor
      settled_invoice_id subject_id subject_object void_explanation voided_at
    `,
  },
  account_entry_fee: {
    own: 'account_entry_id amount_minor explanation id is_taxable kind name percentage purchase_fee_id',
  },
  // invoices
  invoice: {
    own: `
      about_id about_object billed_minor created_at credit_minor credits_invoice_id customer_id discount_code
      discount_code_id discount_code_name discount_minor due_on fees_minor id included_minor issued_on
      legacy_invoice_key list_minor paid_at paid_minor parties pre_tax_minor reason reduced_minor reduces_minor
      refunded_minor reminded_at rounding_minor sequence series status to_credit_minor to_refund_minor total_minor
      updated_at void_explanation voided_at
    `,
  },
  invoice_charge: { own: 'amount_minor created_at id invoice_id payment_id payment_processor_id' },
  invoice_credit: { own: 'amount_minor created_at id invoice_id' },
  invoice_line: {
    own: `
      account_entry_id billed_id billed_name billed_object credited_minor credits_line_id customer_id description
      discount_minor fees_minor id included_minor invoice_id list_minor period_end period_start position pre_tax_minor
      quantity returned_minor rounding_minor total_minor type
    `,
  },
  invoice_line_fee: {
    own: 'amount_minor explanation id invoice_id is_taxable kind line_id name percentage purchase_fee_id',
  },
  invoice_series: { own: 'last_number series' },
  invoice_settings: { own: 'created_at legal_name note reminder_days tax_number updated_at' },
  // ledger
  accounting_period: {
    own: 'closed_at created_at debits_minor end_on id reopen_reason reopened_at start_on transactions updated_at',
  },
  accounting_period_total: { own: 'account accounting_period_id credits_minor debits_minor detail opening_minor' },
  customer_balance: { own: 'account amount_minor customer_id' },
  ledger_account_code: { own: 'account code detail' },
  ledger_check: { own: 'checked_at checked_on differences' },
  ledger_line: { own: 'account amount_minor customer_id detail id transaction_id' },
  ledger_transaction: { own: 'explanation id kind object object_id posted_at posted_on' },
  // payments
  payment: {
    own: `
      amount_minor attempts cancel_asked_at created_at customer_id description external failed_at failure
      hurried_at id next_at payee payee_id payment_method_id payment_processor_id refunded_minor save_method
      scenario status succeeded_at taken trouble updated_at
    `,
    checked: { action_url: WEB, cancel_to: WEB, return_to: WEB },
  },
  payment_dispute: {
    own: 'amount_minor answer_by closed_at created_at external id payment_id reason status updated_at',
  },
  payment_message: { own: 'external id news payment_processor_id received_at type waits_for' },
  payment_method: {
    own: `
      attempts bank_name brand created_at customer_id email expiration_month expiration_year forgotten_at holder
      id last_four next_at owner_token payment_processor_id removed_at token type updated_at
    `,
  },
  payment_method_setup: {
    own: `
      attempts created_at customer_id external failure hurried_at id next_at payment_method_id payment_processor_id
      scenario status updated_at used_by used_by_id
    `,
    checked: { action_url: WEB, return_to: WEB },
  },
  payment_processor: { own: 'created_at disabled_at id kind name sealed secrets settings updated_at' },
  payment_refund: {
    own: `
      amount_minor attempts created_at explanation external failed_at failure id next_at payment_id retries_id
      status succeeded_at trouble updated_at
    `,
  },
  sandbox_charge: {
    own: 'amount_minor created_at description holder id keeps_method key processor_id scenario state why',
    checked: { cancel_to: WEB, return_to: WEB },
  },
  sandbox_dispute: { own: 'amount_minor charge_id created_at id state' },
  sandbox_message: { own: 'attempts body created_at id next_at processor_id' },
  sandbox_refund: { own: 'amount_minor charge_id created_at id key state' },
};
