/** The phone wallets that passes can be created for: those whose keys the operator has configured. */
import { GoogleWallet, type GoogleSettings, type GoogleTools } from './google-wallet.ts';
import { readAppleKeys, type AppleKeys, type AppleSettings } from './apple-keys.ts';

export { applePass, PKPASS } from './apple-pass.ts';
export { isGoogleFailure, type GooglePass } from './google-wallet.ts';
export { readAppleKeys, type AppleKeys } from './apple-keys.ts';

export interface Wallets {
  readonly apple: AppleKeys | null;
  readonly google: GoogleWallet | null;
}

export interface WalletSettings {
  readonly appleWallet: AppleSettings | undefined;
  readonly googleWallet: GoogleSettings | undefined;
}

/**
 * Opens the wallets.
 * @throws Error that names the wrong setting
 */
export const openWallets = ({ appleWallet, googleWallet }: WalletSettings, tools: GoogleTools): Wallets => ({
  apple: appleWallet ? readAppleKeys(appleWallet) : null,
  google: googleWallet ? new GoogleWallet(googleWallet, tools) : null,
});

/**
 * Returns the wallets that accept passes now: after a certificate expires, its signatures are refused. `now`: epoch ms,
 * real.
 */
export const openNow = ({ apple, google }: Wallets, now: number): Wallets => ({
  apple: apple && now < apple.endsAt ? apple : null,
  google,
});

export const takesPasses = (wallets: Wallets, now: number): boolean => {
  const { apple, google } = openNow(wallets, now);
  return apple !== null || google !== null;
};
