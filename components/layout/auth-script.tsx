// The pages are the same for everybody and are cached. So that nobody sees the wrong links for a
// moment, this runs while the browser reads <head>. It says the same as AuthState, in fewer bytes.
const script = `try{let g=k=>localStorage.getItem(k),d=document.documentElement,t=g("token"),s=(k,v)=>v&&d.setAttribute("data-"+k,"");d.dataset.auth=t?"in":"out";s("admin",t&&/\\bROLE_ADMIN\\b/.test(g("roles")));s("named",g("userName")&&g("userLastName"));s("history",(g("recentlyViewedProducts")||"").length>2)}catch{}`;

/** For `<head>`; `<html>` needs suppressHydrationWarning, since the script changes its attributes. */
export function AuthScript() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file
  return <script dangerouslySetInnerHTML={{ __html: script }} />;
}
