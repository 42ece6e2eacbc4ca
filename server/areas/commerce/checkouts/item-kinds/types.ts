/** What can be bought in a checkout, by the name that the interface has for it. */
export const ITEM_TYPES = [
  'MEM_DRP',
  'MEM_PK',
  'MEM_PP',
  'MEM_RECUR',
  'MEM_RECUR_UP',
  'MEM_RECUR_DOWN',
  'JOINING_FEE',
  'CLASS_DRP',
  'CLASS_MEM',
  'APPT_DRP',
  'APPT_MEM',
  'ROOM_RTL_DRP',
  'ROOM_RTL_MEM',
  'CRS_DRP',
  'CRS_MEM',
  'CRS_DT_DRP',
  'STR_PRO',
  'ACCT_ENTRY',
  'QUICK_ITEM',
  'GIFT_CARD',
] as const;
export type ItemType = (typeof ITEM_TYPES)[number];
