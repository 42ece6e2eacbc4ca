// Turns on notifications on this device when the form is sent, and sends along where they reach it. Without this script, or
// where the browser has none, the page says so.
'use strict';

const part = document.querySelector('[data-push]');
const can = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
if (part && can) prepare().catch(() => {});

async function prepare() {
  document.querySelector('[data-without-push]').hidden = true;
  const form = part.querySelector('form');
  const failed = part.querySelector('[data-failed]');
  part.hidden = !(await markThis());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    failed.hidden = true;
    try {
      const { endpoint, keys } = (await subscribe(part.dataset.push)).toJSON();
      Object.assign(form.elements.endpoint, { value: endpoint });
      Object.assign(form.elements.p256dh, { value: keys.p256dh });
      Object.assign(form.elements.auth, { value: keys.auth });
      form.submit();
    } catch {
      failed.hidden = false;
    }
  });
}

/** Says which of the devices in the list is this one. Whether there is something to turn on here. */
async function markThis() {
  const known = await navigator.serviceWorker.getRegistration('/');
  const subscription = await known?.pushManager.getSubscription();
  if (!subscription) return true;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint));
  const row = document.querySelector(`[data-device="${hexOf(digest)}"]`);
  if (!row) return true;
  row.querySelector('[data-this]').hidden = false;
  return false;
}

const hexOf = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function subscribe(applicationServerKey) {
  await navigator.serviceWorker.register('/worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    // It is subscribed with an earlier key of the service.
    const earlier = await pushManager.getSubscription();
    if (!earlier) throw error;
    await earlier.unsubscribe();
    return pushManager.subscribe(options);
  }
}
