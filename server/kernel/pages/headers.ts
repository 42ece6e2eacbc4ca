/** What every page tells the browser to refuse. */

export function pageHeaders(https: boolean): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self' data:",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      ...(https ? ['upgrade-insecure-requests'] : []),
    ].join('; '),
    'x-frame-options': 'DENY',
    // Links from mails hold a secret; and without it a form would say that it comes from nowhere.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
    'x-robots-tag': 'noindex',
    'cache-control': 'no-store',
    ...transport(https),
  };
}

/** For a page on which a script of ours runs: a file of our own, and nothing that stands in the page. It asks only our pages. */
export const withScript = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'content-security-policy': `${headers['content-security-policy']}; script-src 'self'; connect-src 'self'; manifest-src 'self'`,
});

/**
 * For a page without a script that everybody may read, search engines too. Tools that check pages for search engines fetch
 * `/robots.txt` from within the page, and report it as missing if the policy forbids that. Nothing else can use the
 * permission: without `script-src`, no script of the page runs.
 */
export const withoutScript = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'content-security-policy': `${headers['content-security-policy']}; connect-src 'self'`,
});

/** For everything that is served beside pages too. */
export const transport = (https: boolean): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  ...(https && { 'strict-transport-security': 'max-age=31536000' }),
});
