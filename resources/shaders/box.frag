#version 330 core
// A face with a thin edge of constant width on the screen; what is far fades into the ground a little.
in vec2 place;
flat in vec4 area;
flat in vec4 fillColour;
flat in vec4 edgeColour;
flat in vec4 ways;
flat in vec4 lineColour;
flat in vec2 rim;
flat in vec2 fading;

uniform vec3 ground;
uniform float haze;
uniform float reach;

out vec4 colour;

void main() {
    vec2 across = inversesqrt(max(dFdx(place) * dFdx(place) + dFdy(place) * dFdy(place), vec2(1e-12)));
    vec2 side = area.xy;
    vec2 inside = min(place, side - place) * across;
    // Faces of a few pixels would be nothing but edge.
    float room = clamp(min(side.x * across.x, side.y * across.y) * rim.y, 0.0, 1.0);
    float within = clamp(min(inside.x, inside.y) - rim.x, 0.0, 1.0);
    float line = 1.0 - within * within * (3.0 - 2.0 * within);
    // The hatching of a job: how far, in pixels, the nearest line of either of its families is. Of none: no way.
    vec2 at = gl_FragCoord.xy - area.zw;
    vec2 aside = abs(fract(vec2(dot(ways.xy, at), dot(ways.zw, at))) - 0.5);
    float hatch = clamp(reach - min(aside.x, aside.y) * lineColour.a, 0.0, 1.0);
    vec4 mixed = mix(vec4(mix(fillColour.rgb, lineColour.rgb, hatch), fillColour.a), edgeColour, line * room);
    float far = clamp(fading.x / gl_FragCoord.w + fading.y, 0.0, haze);
    colour = vec4(mix(mixed.rgb, ground, far), mixed.a);
}
