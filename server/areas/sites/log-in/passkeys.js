// Asks the device for a passkey when a form that needs one is sent, and sends its answer along. The only script of these
// pages: without it they work as before, with a password.
'use strict';

for (const part of document.querySelectorAll('[data-passkey]')) {
  if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) prepare(part);
}

function prepare(part) {
  const form = part.querySelector('form');
  const failed = part.querySelector('[data-failed]');
  part.hidden = false;
  for (const instead of document.querySelectorAll('[data-without-passkeys]')) instead.hidden = true;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    failed.hidden = true;
    try {
      form.elements.response.value = JSON.stringify(await ask(part.dataset));
      // People who want to stay logged in say so once, in the form above.
      if (form.elements.keep) form.elements.keep.value = document.querySelector('#keep')?.checked ? 'on' : '';
      form.submit();
    } catch {
      failed.hidden = false;
    }
  });
}

async function ask({ passkey, options }) {
  const asked = JSON.parse(options);
  const credential =
    passkey === 'create'
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) });
  return credential.toJSON();
}
