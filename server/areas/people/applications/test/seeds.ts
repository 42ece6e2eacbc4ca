import { createApplication } from '../index.ts';
import { name, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  application: (world, providerId) =>
    world.work(providerId, (work) =>
      createApplication(work, {
        name: name('Kiosk'),
        domain: 'kiosk.example.com',
        scopes: ['read'],
        allowed_callback_urls: ['https://kiosk.example.com/cb'],
      }),
    ),
};
