/** Returns the headers that tell the browser what to refuse, for every page. */

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
    // Links from emails contain a secret; and with no referrer at all, a form would have no origin.
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

/**
 * Returns the headers of a page that runs one of our scripts: a file of our own, and no inline code. It connects only
 * to our pages.
 */
export const withScript = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'content-security-policy': `${headers['content-security-policy']}; script-src 'self'; connect-src 'self'; manifest-src 'self'`,
});

/**
 * Returns the headers of a public page without a script, which search engines may read too. Tools that check pages for
 * search engines fetch `/robots.txt` from within the page, and report it as missing if the policy forbids that. Nothing
 * else can use the permission: without `script-src`, no script of the page runs.
 */
export const withoutScript = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'content-security-policy': `${headers['content-security-policy']}; connect-src 'self'`,
});

/** Returns the headers of everything that is served, including what is not a page. */
export const transport = (https: boolean): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  ...(https && { 'strict-transport-security': 'max-age=31536000' }),
});
