/** The secret key for tests and measurements only, so that they leave no key in a folder. */
export const SECRET_KEY = Buffer.alloc(32, 'tests').toString('base64');
