/** Pages of video hosts that can be shown inside of another page. */

export interface Embedding {
  readonly version: '1.0';
  readonly type: 'video';
  readonly provider_name: string;
  readonly provider_url: string;
  readonly html: string;
  readonly width: number;
  readonly height: number;
}

interface Host {
  readonly name: string;
  readonly url: string;
  readonly hosts: readonly string[];
  /** returns the id of the video, or null if the page is another one */
  readonly idIn: (url: URL) => string | null;
  readonly player: (id: string) => string;
}

const matched = (text: string, pattern: RegExp): string | null => pattern.exec(text)?.[1] ?? null;

const HOSTS: readonly Host[] = [
  {
    name: 'YouTube',
    url: 'https://www.youtube.com/',
    hosts: ['youtube.com', 'm.youtube.com', 'youtu.be'],
    idIn: (url) =>
      url.hostname.endsWith('youtu.be')
        ? matched(url.pathname, /^\/([\w-]{11})$/)
        : (matched(url.searchParams.get('v') ?? '', /^([\w-]{11})$/) ??
          matched(url.pathname, /^\/(?:embed|live|shorts)\/([\w-]{11})$/)),
    player: (id) => `https://www.youtube-nocookie.com/embed/${id}`,
  },
  {
    name: 'Vimeo',
    url: 'https://vimeo.com/',
    hosts: ['vimeo.com', 'player.vimeo.com'],
    idIn: (url) => matched(url.pathname, /^\/(?:video\/)?(\d{4,12})$/),
    player: (id) => `https://player.vimeo.com/video/${id}?dnt=1`,
  },
];

const [WIDTH, HEIGHT] = [640, 360];

/** Returns how a page of a known host is embedded, in the form of oEmbed 1.0; null for other addresses. */
export function embeddingFor(address: string): Embedding | null {
  const url = URL.parse(address);
  if (!url) return null;
  const name = url.hostname.replace(/^www\./, '');
  const host = HOSTS.find(({ hosts }) => hosts.includes(name));
  const video = host?.idIn(url) ?? null;
  if (!host || video === null) return null;
  return {
    version: '1.0',
    type: 'video',
    provider_name: host.name,
    provider_url: host.url,
    html: `<iframe src="${host.player(video)}" width="${WIDTH}" height="${HEIGHT}" allowfullscreen></iframe>`,
    width: WIDTH,
    height: HEIGHT,
  };
}
