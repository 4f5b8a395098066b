declare module 'virtual:messages/later-*' {
  const own: import('./saying').Messages['own'];
  export default own;
}
declare module 'virtual:messages/*' {
  const messages: import('./saying').Messages;
  export default messages;
}
