/** Applications and their tokens in other cells, as this area needs them. `server/scale` provides them. */
import { CellPort, type OtherCells } from '../../../kernel/work/unit/other-cells.ts';
import type { AmongCells, Whence } from '../identity/index.ts';
import type { AuthorizationKey, AuthorizationRow } from './oauth/authorization.ts';
import type { Connected } from './oauth/connections.ts';
import type { Grant, Profile, Seen } from '../../../kernel/work/access/grant.ts';
import type { Refreshed, RefreshWish } from './oauth/tokens.ts';
import type { Wire } from '../../../kernel/base/fields/field.ts';

/** Applications of a person; `away`: some cells could not be asked. */
interface ConnectionsElsewhere {
  readonly connections: readonly Connected[];
  readonly away: boolean;
}

/** A profile at a business of another cell, as printed by that cell. */
export interface PrintedProfile {
  readonly providerId: number;
  readonly mode: Profile['mode'];
  readonly printed: object;
}

/** Names of the objects to expand, and where links lead. */
export type ProfileForm = Pick<Wire, 'baseUrl' | 'pagesUrl'> & { readonly names: object };

export interface ProfilesWish extends ProfileForm, Pick<Grant, 'scopes' | 'writes'> {
  readonly userId: number;
  readonly seen: Seen;
  readonly reach: readonly number[] | null;
}

/** A request to end everything that an application holds of a person. */
export interface Disconnection {
  readonly user: number;
  readonly application: number;
  readonly whence: Whence;
}

export interface AuthorizationsElsewhere {
  /**
   * Returns an authorization that another cell has, while its person's account is open. `cell`: the one that issued the
   * token, if the token names it; after its business has moved, another cell has the authorization. Null: no cell has
   * it.
   * @throws Problem `unavailable` while a cell that may have it is unreachable
   */
  find(door: AmongCells, cell: number | null, key: AuthorizationKey): Promise<AuthorizationRow | null>;
  /**
   * Refreshes in the cell that owns the refresh token; null: no cell owns it.
   * @throws Problem `unavailable` while a cell that may have it is unreachable
   */
  refresh(wish: RefreshWish): Promise<Refreshed | null>;
  /** Returns the applications that act for the person in other cells. */
  connections(user: number): Promise<ConnectionsElsewhere>;
  /**
   * Ends everything that an application of another cell holds of the person; returns false if no cell knows the
   * application.
   * @throws Problem `unavailable` if no cell that responds knows it, and one is unreachable
   */
  disconnect(asked: Disconnection): Promise<boolean>;
  /** Returns the person's profiles at businesses of other cells. If a cell is unreachable, its own are missing. */
  profiles(wish: ProfilesWish): Promise<readonly PrintedProfile[]>;
}

export const authorizationsElsewhere = new CellPort<AuthorizationsElsewhere>('authorizations');

export const connectionsElsewhere = async (cells: OtherCells | null, user: number): Promise<ConnectionsElsewhere> =>
  cells === null ? { connections: [], away: false } : cells.at(authorizationsElsewhere).connections(user);

export const disconnectElsewhere = async (cells: OtherCells | null, asked: Disconnection): Promise<boolean> =>
  cells !== null && cells.at(authorizationsElsewhere).disconnect(asked);
