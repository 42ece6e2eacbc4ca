import { businessInPath } from '../../../kernel/api/cell-declarations.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { cashKeepers } from './cash-keepers.ts';
import { changePayments } from './change-payments.ts';
import { changeProcessors } from './change-processors.ts';
import { checkProcessor } from './check-processor.ts';
import { FEED } from './feed.ts';
import { findPayments } from './find-payments.ts';
import { findProcessors, paymentProcessor } from './payment-processor.ts';
import { detailNames, ledgerChecks } from '../ledger/index.ts';
import { PAYMENT_CHECKS, processorNames } from './ledger-checks.ts';
import { methodUsers } from './method-setups/method-users.ts';
import { findSetups, methodSetup } from './method-setups/setup.ts';
import { OWNER_NOTICES, ownerReader } from './notify-owner.ts';
import { payees } from './payees.ts';
import { payment, paymentDispute, paymentRefund } from './payment.ts';
import { paymentEngine } from './engine.ts';
import { paymentMethod, paymentMethodEndpoints } from './payment-method.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { sandboxEndpoints } from './sandbox/script.ts';
import { sweepPayments } from './sweep.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { cashKeepers, type CashKeeper } from './cash-keepers.ts';
export {
  askCancel,
  beginPayment,
  readMethods,
  readyPayment,
  startAll,
  startPayment,
  startReady,
  startRefund,
  stillStands,
  type KnownMethod,
  type NewPayment,
  type ReadyPayment,
} from './start.ts';
export { keepMethod } from './keep-method.ts';
export { methodUsers, type MethodUser } from './method-setups/method-users.ts';
export { methodSetup } from './method-setups/setup.ts';
export { startSetup } from './method-setups/start.ts';
export { pollSetup, syncSetup } from './method-setups/sync.ts';
export { createProcessor, disableSandboxes } from './change-processors.ts';
export { syncStartedPayments, syncPayment, syncStartedPayment, pollPayment } from './sync.ts';
export { lockCustomerPayments, lockPayments, type KnownPayment } from './rows.ts';
export { payees, type PaidPayment, type Payee } from './payees.ts';
export { paymentDoors } from './routes.ts';
export { SCENARIOS } from './sandbox/scenarios.ts';

export const payments: Area = {
  name: 'payments',
  description: 'Payments of customers: payment processors, payments, refunds, disputes and saved payment methods.',
  namesInPath: [businessInPath(/^\/(?:payment_messages|sandbox)\/(\d{1,15})\//)],
  tables: TABLES,
  translations: readTranslations('payments/refusals'),
  resources: [paymentProcessor, payment, paymentRefund, paymentDispute, paymentMethod, methodSetup],
  endpoints: [
    ...findProcessors,
    ...changeProcessors,
    checkProcessor,
    ...findPayments,
    ...changePayments,
    ...paymentMethodEndpoints,
    ...findSetups,
    ...sandboxEndpoints,
  ],
  ports: [payees, cashKeepers, methodUsers],
  fills: [ledgerChecks.with(...PAYMENT_CHECKS), detailNames.with(...processorNames)],
  feed: FEED,
  staffNotices: Object.values(OWNER_NOTICES),
  readers: [ownerReader],
  engines: [paymentEngine],
  sweep: sweepPayments,
  sweepTimes: [],
  constraints: {
    payment_refunded: () =>
      new Problem('conflict', 'Only the amount that has not been refunded yet can be refunded. Get the payment again.'),
  },
};
