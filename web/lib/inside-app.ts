/** Apps whose own browser often saves no files. */
const APPS = /MicroMessenger\/|\bQQ\/|\bWeibo|DingTalk|\bFB(AN|AV)\/|Instagram|\bLine\//i;
const PHONE = /Android|iPhone|iPad|OpenHarmony/;

/** Reports whether the page is open in the browser inside of an app on a phone, as when its link was tapped in a chat. */
export const isInsideApp = (): boolean => APPS.test(navigator.userAgent) && PHONE.test(navigator.userAgent);
