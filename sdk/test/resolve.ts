/**
 * The examples import the client by the name of its package, as programs do; here, that name resolves to its source.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'rollcall-sdk' ? new URL('../src/index.ts', import.meta.url).href : specifier, context),
});
