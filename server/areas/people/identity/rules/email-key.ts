/** Returns the key of an address: two spellings with the same key belong to one account. */
export { addressKey as emailKey } from '../../../../kernel/base/values/mail-address.ts';
