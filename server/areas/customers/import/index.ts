export { importCustomers, openCustomers, type CustomerFile, type CustomerSummary } from './import-customers.ts';
export { readCustomerMapping, type CustomerMapping } from './mapping.ts';
