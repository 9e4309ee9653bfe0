/** A script for shells, as a text. */
declare module "*.sh" {
  const script: string;
  export default script;
}
