/**
 * Returns true if the page is at the dashboard's own address: then it is the browser that hides where its requests come
 * from. `here`: origin of the page
 */
export const isOwn = (address: string, here: string): boolean => new URL(address).origin === here;
