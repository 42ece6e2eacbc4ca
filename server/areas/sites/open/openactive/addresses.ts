import type { Business } from '../../accounts/index.ts';

/** Anybody may use the data and pass it on, and says where it comes from. */
export const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';

/** Where the open data of a business begins. */
export const openPath = ({ home }: Pick<Business, 'home'>): string => `${home}/openactive`;
