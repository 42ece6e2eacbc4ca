/** What an address is known by: two spellings with one key are one account. */
export { addressKey as emailKey } from '../../../../kernel/values/mail-address.ts';
