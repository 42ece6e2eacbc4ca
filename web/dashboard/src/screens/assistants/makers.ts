/** Assistants that need no other set-up than an address and a client ID, and where they send people back to. */

export interface Maker {
  readonly name: string;
  /** identifies it among the applications of the business */
  readonly domain: string;
  readonly callbacks: readonly string[];
}

export const MAKERS = {
  claude: {
    name: 'Claude',
    domain: 'claude.ai',
    callbacks: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  },
  chatgpt: {
    name: 'ChatGPT',
    domain: 'chatgpt.com',
    callbacks: ['https://chatgpt.com/connector_platform_oauth_redirect'],
  },
  vscode: {
    name: 'VS Code',
    domain: 'vscode.dev',
    callbacks: ['https://vscode.dev/redirect', 'http://127.0.0.1:33418', 'http://127.0.0.1:33418/'],
  },
} as const satisfies Readonly<Record<string, Maker>>;

export type MakerName = keyof typeof MAKERS;
export const MAKER_NAMES = Object.keys(MAKERS) as MakerName[];
