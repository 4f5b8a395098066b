declare module 'virtual:messages/*' {
  const messages: import('./saying').Messages;
  export default messages;
}
