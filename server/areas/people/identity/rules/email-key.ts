/** What an address is known by: two spellings with one key are one account. */
export { addressKey as emailKey } from '../../../../kernel/base/values/mail-address.ts';
