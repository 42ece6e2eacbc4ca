/**
 * Without a connection: what somebody has booked, as it was when they last looked at the timetable. It is kept on their device
 * alone, for people who are logged in, and is gone as soon as they log out. Also shows the notifications that they turned on.
 */
const KEPT = 'own';
const PAGE = '/offline';
const DAYS = 7;
const AS_IT_IS = { ignoreVary: true };

addEventListener('install', () => void skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('message', (event) => event.waitUntil(keep(event.data)));

/** Asks for the page at an address, and keeps it with its style sheets. */
async function keep(address) {
  if (!/^\/[a-z0-9-]+\/offline$/.test(address)) return;
  const answer = await fetch(address, { cache: 'no-store' });
  if (!answer.ok) return;
  const text = await answer.clone().text();
  const styles = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) =>
    href.replaceAll('&amp;', '&'),
  );
  const cache = await caches.open(KEPT);
  await cache.addAll(styles);
  await cache.put(PAGE, answer);
}

async function pageOrKept(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(PAGE, AS_IT_IS);
    if (!kept) throw error;
    if (Date.now() - Date.parse(kept.headers.get('date')) < DAYS * 86_400_000) return kept;
    await caches.delete(KEPT);
    throw error;
  }
}

async function styleOrKept(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(request, AS_IT_IS);
    if (kept) return kept;
    throw error;
  }
}

/** Whoever has the device next finds nothing of the person, and is told nothing that is meant for them. */
async function leave() {
  await caches.delete(KEPT);
  const subscription = await registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(registration.showNotification(title, { body, tag, data: { url } }));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(event.notification.data.url));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'POST') {
    if (new URL(request.url).pathname.endsWith('/log-out')) event.waitUntil(leave());
  } else if (request.mode === 'navigate') event.respondWith(pageOrKept(request));
  else if (request.destination === 'style') event.respondWith(styleOrKept(request));
});
