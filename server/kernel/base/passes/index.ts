/** The wallets of phones that passes can be made for: those whose keys the operator has set. */
import { GoogleWallet, type GoogleSettings, type GoogleTools } from './google-wallet.ts';
import { readAppleKeys, type AppleKeys, type AppleSettings } from './apple-keys.ts';

export { applePass, PKPASS } from './apple-pass.ts';
export { isGoogleFailure, type GooglePass, type GoogleSettings, type GoogleWallet } from './google-wallet.ts';
export { readAppleKeys, type AppleKeys, type AppleSettings } from './apple-keys.ts';

export interface Wallets {
  readonly apple: AppleKeys | null;
  readonly google: GoogleWallet | null;
}

export interface WalletSettings {
  readonly appleWallet: AppleSettings | undefined;
  readonly googleWallet: GoogleSettings | undefined;
}

/** @throws Error that says which setting is wrong */
export const openWallets = ({ appleWallet, googleWallet }: WalletSettings, tools: GoogleTools): Wallets => ({
  apple: appleWallet ? readAppleKeys(appleWallet) : null,
  google: googleWallet ? new GoogleWallet(googleWallet, tools) : null,
});

/** Those that take passes now: a certificate ends, and what is signed with it then is refused. `now`: epoch ms, real. */
export const openNow = ({ apple, google }: Wallets, now: number): Wallets => ({
  apple: apple && now < apple.endsAt ? apple : null,
  google,
});

export const takesPasses = (wallets: Wallets, now: number): boolean => {
  const { apple, google } = openNow(wallets, now);
  return apple !== null || google !== null;
};
