/** Everything that can be bought in a checkout. */
import { ACCOUNT_ENTRY } from './account-entry.ts';
import { DOWNGRADE, UPGRADE } from './changes.ts';
import { DROP_IN_CLASS, MEMBERSHIP_CLASS } from './classes.ts';
import { DROP_IN_COURSE, DROP_IN_SESSION, MEMBERSHIP_COURSE } from './courses.ts';
import { DELIVERY_FEE } from './delivery-fee.ts';
import { GIFT_CARD } from './gift-card.ts';
import { JOINING_FEE } from './joining-fee.ts';
import { STORE_PRODUCT } from './store-product.ts';
import { DROP_IN_MEMBERSHIP, PACK, PREPAID, RECURRING } from './memberships.ts';
import { QUICK_ITEM } from './quick-item.ts';
import { DROP_IN_APPOINTMENT, DROP_IN_RENTAL, MEMBERSHIP_APPOINTMENT, MEMBERSHIP_RENTAL } from './slots.ts';
import type { ItemKind } from './kind.ts';
import type { ItemType } from './types.ts';

const ALL: Readonly<Record<ItemType, ItemKind>> = {
  MEM_DRP: DROP_IN_MEMBERSHIP,
  MEM_PK: PACK,
  MEM_PP: PREPAID,
  MEM_RECUR: RECURRING,
  MEM_RECUR_UP: UPGRADE,
  MEM_RECUR_DOWN: DOWNGRADE,
  JOINING_FEE,
  CLASS_DRP: DROP_IN_CLASS,
  CLASS_MEM: MEMBERSHIP_CLASS,
  APPT_DRP: DROP_IN_APPOINTMENT,
  APPT_MEM: MEMBERSHIP_APPOINTMENT,
  ROOM_RTL_DRP: DROP_IN_RENTAL,
  ROOM_RTL_MEM: MEMBERSHIP_RENTAL,
  CRS_DRP: DROP_IN_COURSE,
  CRS_MEM: MEMBERSHIP_COURSE,
  CRS_DT_DRP: DROP_IN_SESSION,
  STR_PRO: STORE_PRODUCT,
  DELIVERY_FEE,
  ACCT_ENTRY: ACCOUNT_ENTRY,
  QUICK_ITEM,
  GIFT_CARD,
};

export const ITEM_KINDS: readonly ItemKind[] = Object.values(ALL);

export const kindOf = ({ item_type }: { readonly item_type: ItemType }): ItemKind => ALL[item_type];
