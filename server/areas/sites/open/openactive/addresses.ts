import type { Business } from '../../frame/index.ts';

/** License of the data: anybody may use it and pass it on, with attribution. */
export const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';

/** Returns the root of a business's open data. */
export const openPath = ({ home }: Pick<Business, 'home'>): string => `${home}/openactive`;
