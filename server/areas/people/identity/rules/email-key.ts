/** What an address is known by: two spellings with one key are one account. */
export const emailKey = (email: string): string => email.trim().normalize('NFC').toLowerCase();
