/**
 * The subscription that a browser sends when somebody agrees: the address at which its push service accepts messages,
 * and the keys to encrypt them with.
 */
import { hash } from 'node:crypto';
import type { DeviceKeys } from './encrypt.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';

export interface Subscription {
  readonly endpoint: string;
  /** base64url */
  readonly p256dh: string;
  readonly auth: string;
}

export const keysOf = ({ p256dh, auth }: Pick<Subscription, 'p256dh' | 'auth'>): DeviceKeys => ({
  p256dh: Buffer.from(p256dh, 'base64url'),
  auth: Buffer.from(auth, 'base64url'),
});

/** Returns the hash of an endpoint. An endpoint is long and random, so its hash reveals nothing about it. */
export const hashOf = (endpoint: string): string => `\\x${hash('sha256', endpoint, 'hex')}`;

/** Anyone who knows an endpoint can use up the rate limit of its service, so it is sealed. */
const purpose = (providerId: number, endpointHash: string): string => `push:${providerId}:${endpointHash}`;

export const sealSubscription = (box: SecretBox, providerId: number, subscription: Subscription): string =>
  box.seal(purpose(providerId, hashOf(subscription.endpoint)), JSON.stringify(subscription));

/** Opens a sealed subscription. @throws NotOpened */
export const openSubscription = (
  box: SecretBox,
  providerId: number,
  { sealed, fingerprint }: { readonly sealed: string; readonly fingerprint: string },
): Subscription => JSON.parse(box.open(purpose(providerId, fingerprint), sealed));
